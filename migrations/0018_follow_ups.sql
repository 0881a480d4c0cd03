-- What a change of a booking calls for is said by the batch that changes it: it needs no trigger, for it guards nothing.
DROP TRIGGER bookings_call_for_new;
--> statement-breakpoint
DROP TRIGGER bookings_call_for_changed;
--> statement-breakpoint
DROP TRIGGER bookings_call_for_linked;
--> statement-breakpoint
DROP TRIGGER bookings_call_for_nothing;
--> statement-breakpoint
DROP TRIGGER payments_tell_booking;
