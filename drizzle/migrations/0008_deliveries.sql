DROP INDEX "deliveries_due";--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "payload" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "next_at" SET DEFAULT '-infinity';--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "event_type_id" integer;--> statement-breakpoint
CREATE INDEX "events_created" ON "events" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "deliveries_event" ON "deliveries" USING btree ("account_id","event_id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("account_id","webhook_id","next_at","id") WHERE status = 'pending';