-- A line keeps the name and rate of a tax that was deleted.
alter table invoice_items drop constraint invoice_items_tax_fk, add constraint invoice_items_tax_fk
  foreign key (account_id, tax_id) references taxes (account_id, id) on delete set null (tax_id);
--> statement-breakpoint
create index invoices_search on invoices using gin
  ((coalesce(number, '') || ' ' || (customer ->> 'name')) gin_trgm_ops);
