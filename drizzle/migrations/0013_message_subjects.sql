ALTER TABLE "messages" ADD COLUMN "subject" text;--> statement-breakpoint
UPDATE "messages" SET "subject" = 'appointment' WHERE "subject_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_subject" CHECK ((subject is null) = (subject_id is null));
