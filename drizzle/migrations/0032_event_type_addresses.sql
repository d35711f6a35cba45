DROP INDEX "event_types_slug";--> statement-breakpoint
CREATE UNIQUE INDEX "event_types_slug" ON "event_types" USING btree ("user_id","slug");