// Nothing but depths.

void main()
{
}
