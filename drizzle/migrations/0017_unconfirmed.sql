DROP INDEX "districts_name";--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "confirm_by" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "appointments_to_confirm" ON "appointments" USING btree ("confirm_by") WHERE status = 'pending';--> statement-breakpoint
UPDATE "accounts" SET "booking_policy" = "booking_policy" || '{"confirmWithinMinutes": 1440}';
