-- What is new has nothing to be set off against: a third less time for each appointment.
create or replace function count_appointment() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into rollups (account_id, kind, item_id, currency, bucket, pending, approved, completed,
      canceled, rejected, no_shows, host_no_shows, minutes, revenue)
    select new.account_id, f.* from appointment_figures(new) f;
  else
    perform add_figures(new.account_id, array(select f from appointment_figures(new) f),
      array(select f from appointment_figures(old) f));
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function count_booking() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into rollups (account_id, kind, item_id, currency, bucket, pending, approved, completed,
      canceled, rejected, no_shows, host_no_shows, minutes, revenue)
    select new.account_id, f.* from booking_figures(new) f;
  else
    perform add_figures(new.account_id, array(select f from booking_figures(new) f),
      array(select f from booking_figures(old) f));
  end if;
  return null;
end $$;
--> statement-breakpoint
create or replace function count_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into rollups (account_id, kind, item_id, currency, bucket, pending, approved, completed,
      canceled, rejected, no_shows, host_no_shows, minutes, revenue)
    select new.account_id, f.* from customer_figures(new) f;
  else
    perform add_figures(new.account_id, array(select f from customer_figures(new) f),
      array(select f from customer_figures(old) f));
  end if;
  return null;
end $$;
