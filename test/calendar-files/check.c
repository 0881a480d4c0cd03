/* What libical understands of an iCalendar text, and what it remarks: check <text. */
#include <libical/ical.h>
#include <stdio.h>

static char *read_line(char *line, size_t size, void *file) { return fgets(line, (int)size, file); }

static void print_text(const char *name, const char *text) {
  printf("%s ", name);
  for (; text != NULL && *text != '\0'; text++) {
    if (*text == '\n') fputs("\\n", stdout);
    else if (*text == '\\') fputs("\\\\", stdout);
    else putchar(*text);
  }
  putchar('\n');
}

int main(void) {
  icalparser *parser = icalparser_new();
  icalparser_set_gen_data(parser, stdin);
  icalcomponent *calendar = icalparser_parse(parser, read_line);
  if (calendar == NULL) return 1;
  printf("valid %d\n", icalrestriction_check(calendar));
  icalproperty *method = icalcomponent_get_first_property(calendar, ICAL_METHOD_PROPERTY);
  printf("method %s\n", method == NULL ? "" : icalproperty_method_to_string(icalproperty_get_method(method)));
  icalcomponent *event;
  for (event = icalcomponent_get_first_component(calendar, ICAL_VEVENT_COMPONENT); event != NULL;
       event = icalcomponent_get_next_component(calendar, ICAL_VEVENT_COMPONENT)) {
    print_text("uid", icalcomponent_get_uid(event));
    printf("sequence %d\n", icalcomponent_get_sequence(event));
    print_text("summary", icalcomponent_get_summary(event));
    print_text("location", icalcomponent_get_location(event));
    print_text("description", icalcomponent_get_description(event));
    printf("start %ld\n", (long)icaltime_as_timet_with_zone(icalcomponent_get_dtstart(event), icaltimezone_get_utc_timezone()));
    printf("end %ld\n", (long)icaltime_as_timet_with_zone(icalcomponent_get_dtend(event), icaltimezone_get_utc_timezone()));
    printf("cancelled %d\n", icalcomponent_get_status(event) == ICAL_STATUS_CANCELLED);
  }
  printf("errors %d\n", icalcomponent_count_errors(calendar));
  return 0;
}
