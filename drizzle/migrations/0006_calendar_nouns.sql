ALTER TABLE "event_types" ADD COLUMN "offer_reschedule" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "event_types" ADD COLUMN "allow_rescheduling_cancelled_bookings" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "event_types" ADD COLUMN "requires_booker_email_verification" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_steps" ADD COLUMN "is_html" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_steps" ADD COLUMN "phone_required" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "workflows" ADD COLUMN "offset_unit" text;--> statement-breakpoint
ALTER TABLE "workflows" ADD CONSTRAINT "workflows_member_fk" FOREIGN KEY ("account_id","user_id") REFERENCES "public"."members"("account_id","user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_type_hosts_user" ON "event_type_hosts" USING btree ("account_id","user_id");--> statement-breakpoint
CREATE INDEX "routing_form_responses_form" ON "routing_form_responses" USING btree ("account_id","form_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "routing_forms_id" ON "routing_forms" USING btree ("id");--> statement-breakpoint
CREATE INDEX "team_members_user" ON "team_members" USING btree ("account_id","user_id");--> statement-breakpoint
CREATE INDEX "workflow_steps_workflow" ON "workflow_steps" USING btree ("account_id","workflow_id","step_number");