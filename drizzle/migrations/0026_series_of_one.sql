-- Who had joined a series of others before is in one of their own.
UPDATE "bookings" b SET "recurring_event_id" = b."recurring_event_id" || '-' || b."id"
  WHERE EXISTS (SELECT FROM "bookings" o WHERE o."account_id" = b."account_id"
    AND o."recurring_event_id" = b."recurring_event_id"
    AND o."recurring_index" = b."recurring_index" AND o."id" < b."id");--> statement-breakpoint
DROP INDEX "bookings_series";--> statement-breakpoint
CREATE UNIQUE INDEX "bookings_series" ON "bookings" USING btree ("account_id","recurring_event_id","recurring_index") WHERE recurring_event_id is not null;