-- Who comes is once in a booking: a guest who was named twice is one.
delete from booking_attendees again using booking_attendees kept
where kept.account_id = again.account_id and kept.booking_id = again.booking_id
  and kept.id < again.id and lower(kept.email) = lower(again.email) and again.is_guest;
--> statement-breakpoint
DROP INDEX "booking_attendees_booking";--> statement-breakpoint
ALTER TABLE "booking_attendees" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "booking_attendees_address" ON "booking_attendees" USING btree ("account_id","booking_id",lower(email));--> statement-breakpoint
CREATE UNIQUE INDEX "booking_attendees_number" ON "booking_attendees" USING btree ("account_id","booking_id","phone_number") WHERE email is null;--> statement-breakpoint
ALTER TABLE "booking_attendees" ADD CONSTRAINT "booking_attendees_reach" CHECK (email is not null or (phone_number is not null and phone_number ~ '^[+][1-9][0-9]{3,14}$'));
--> statement-breakpoint
-- Words of the name, e-mail address or telephone number of who comes.
drop index booking_attendees_search;
--> statement-breakpoint
create index booking_attendees_search on booking_attendees using gin
  ((name || ' ' || coalesce(email, '') || ' ' || coalesce(phone_number, '')) gin_trgm_ops);
