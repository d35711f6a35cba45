ALTER TABLE "employees" ALTER COLUMN "commission_rate" SET DATA TYPE numeric(7, 4);--> statement-breakpoint
CREATE INDEX "customers_created" ON "customers" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "customers_phone" ON "customers" USING btree ("account_id","phone");