/*
 * page_style.h - the style sheet of a report, without outside references
 */
#ifndef INSPECT_REPORT_PAGE_STYLE_H
#define INSPECT_REPORT_PAGE_STYLE_H

/* Contains no '<' and no '&', so that it needs no escaping. */
extern const char page_style[];

#endif
