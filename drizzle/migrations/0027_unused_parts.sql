DROP INDEX "events_subject";--> statement-breakpoint
ALTER TABLE "audit_log" DROP COLUMN "details";