ALTER TABLE "oauth_clients" ADD COLUMN "previous_secret_hash" text;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD COLUMN "previous_secret_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "oauth_clients" ADD CONSTRAINT "oauth_clients_previous" CHECK ((previous_secret_hash is null) = (previous_secret_until is null)
        and (previous_secret_hash is null or secret_hash is not null));