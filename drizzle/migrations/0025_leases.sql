ALTER TABLE "deliveries" ADD COLUMN "leased_until" timestamp with time zone DEFAULT '-infinity' NOT NULL;
--> statement-breakpoint
-- Room on each page for what a claim changes there, which then touches no index (a HOT update).
alter table "deliveries" set (fillfactor = 50);
