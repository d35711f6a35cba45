-- Words of a booking's title, and of the name or e-mail address of who comes.
create index bookings_search on bookings using gin (title gin_trgm_ops);
--> statement-breakpoint
create index booking_attendees_search on booking_attendees using gin
  ((name || ' ' || email) gin_trgm_ops);
