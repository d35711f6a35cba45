-- What drizzle-kit cannot express: exclusion constraints, guards, partial SET NULL, text search.

create extension if not exists btree_gist;
--> statement-breakpoint
create extension if not exists pg_trgm;
--> statement-breakpoint
-- Aborts a batch when a guarded change touched no row; the meaning arrives as a constraint's name.
create function must(ok boolean, meaning text) returns boolean language plpgsql as $$
begin
  if ok is not true then
    raise exception using errcode = '23514', message = meaning, constraint = meaning;
  end if;
  return true;
end $$;
--> statement-breakpoint
-- The guard against double booking: two blocks of one person cannot overlap.
alter table occupancies add constraint occupancies_no_overlap
  exclude using gist (account_id with =, person_id with =, blocked with &&);
--> statement-breakpoint
create index resource_bookings_during on resource_bookings
  using gist (account_id, resource_id, during);
--> statement-breakpoint
alter table services drop constraint services_category_fk, add constraint services_category_fk
  foreign key (account_id, category_id) references categories (account_id, id)
  on delete set null (category_id);
--> statement-breakpoint
alter table locations drop constraint locations_district_fk, add constraint locations_district_fk
  foreign key (account_id, district_id) references districts (account_id, id)
  on delete set null (district_id);
--> statement-breakpoint
create index customers_search on customers using gin
  ((name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')) gin_trgm_ops)
  where deleted_at is null;
