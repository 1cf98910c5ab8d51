# SPDX-License-Identifier: MIT
"""A page of odori report: well-formed XML, and HTML with unique ids, alternative texts and a policy that loads nothing."""
import html.parser
import sys
import xml.dom.minidom

path = sys.argv[1]
xml.dom.minidom.parse(path)


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.links, self.policy = [], [], ""

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])
        if tag == "img" and "alt" not in attrs:
            raise SystemExit("an image without an alternative text")
        if attrs.get("http-equiv") == "Content-Security-Policy":
            self.policy = attrs["content"]
        for name in attrs:
            if name.startswith("on"):
                raise SystemExit("an event handler: " + name)


page = Page()
with open(path, encoding="utf-8") as file:
    page.feed(file.read())
if len(set(page.ids)) != len(page.ids):
    raise SystemExit("an id appears twice")
for link in page.links:
    if link[:1] != "#" or link[1:] not in page.ids:
        raise SystemExit("a link that leads nowhere: " + link)
if "default-src 'none'" not in page.policy:
    raise SystemExit("no policy")
