/* Prints the starts of each VEVENT of an iCalendar text as libical has them, in the two years after its first one, in seconds
   since 1970: expand <text. A line with the UID begins each event, a start a line follows. */
#include <libical/ical.h>
#include <stdio.h>

enum { MOST = 6000, DAYS = 731 };
static int found;

static void print_start(icalcomponent *event, struct icaltime_span *span, void *data) {
  (void)event;
  (void)data;
  if (found++ < MOST) printf("%ld\n", (long)span->start);
}

static void expand(icalcomponent *parent) {
  icalcomponent *each;
  for (each = icalcomponent_get_first_component(parent, ICAL_ANY_COMPONENT); each != NULL;
       each = icalcomponent_get_next_component(parent, ICAL_ANY_COMPONENT)) {
    if (icalcomponent_isa(each) == ICAL_VEVENT_COMPONENT) {
      const char *uid = icalcomponent_get_uid(each);
      printf("EVENT %s\n", uid == NULL ? "" : uid);
      found = 0;
      icaltimetype from = icaltime_convert_to_zone(icalcomponent_get_dtstart(each), icaltimezone_get_utc_timezone());
      icaltimetype to = from;
      icaltime_adjust(&from, 0, 0, 0, -1);
      icaltime_adjust(&to, DAYS, 0, 0, 1);
      icalcomponent_foreach_recurrence(each, from, to, print_start, NULL);
    } else if (icalcomponent_isa(each) == ICAL_VCALENDAR_COMPONENT || icalcomponent_isa(each) == ICAL_XROOT_COMPONENT)
      expand(each);
  }
}

static char *read_line(char *line, size_t size, void *file) { return fgets(line, (int)size, file); }

int main(void) {
  icalparser *parser = icalparser_new();
  icalparser_set_gen_data(parser, stdin);
  icalcomponent *root = icalcomponent_new(ICAL_XROOT_COMPONENT), *part;
  while ((part = icalparser_parse(parser, read_line)) != NULL) icalcomponent_add_component(root, part);
  expand(root);
  return 0;
}
