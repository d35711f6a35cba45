CREATE TABLE "job_runs" (
	"job" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "job_runs_pkey" PRIMARY KEY("job","until")
);
--> statement-breakpoint
CREATE TABLE "message_opt_outs" (
	"account_id" integer NOT NULL,
	"channel" text NOT NULL,
	"address" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "message_opt_outs_pkey" PRIMARY KEY("account_id","channel","address")
);
--> statement-breakpoint
ALTER TABLE "appointments" ADD COLUMN "reminded_for" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "bookings" ADD COLUMN "reminded_for" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "handed_over" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "since" timestamp with time zone;--> statement-breakpoint
UPDATE "workflows" SET "since" = "created_at";--> statement-breakpoint
ALTER TABLE "workflows" ALTER COLUMN "since" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "message_opt_outs" ADD CONSTRAINT "message_opt_outs_account_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "appointments_to_remind" ON "appointments" USING btree ("start_time") WHERE status = 'approved' and reminded_for is distinct from start_time;--> statement-breakpoint
CREATE INDEX "bookings_to_remind" ON "bookings" USING btree ("start_time") WHERE status = 'accepted' and reminded_for is distinct from start_time;--> statement-breakpoint
CREATE INDEX "workflows_trigger" ON "workflows" USING btree ("account_id","trigger") WHERE active;--> statement-breakpoint
CREATE INDEX "workflows_clock" ON "workflows" USING btree ("trigger","account_id") WHERE active and offset_minutes > 0;