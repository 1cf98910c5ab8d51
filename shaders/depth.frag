// SPDX-License-Identifier: MIT
// Nothing but depths.

void main()
{
}
