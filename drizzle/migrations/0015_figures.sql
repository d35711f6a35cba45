-- What insights count. Each change of an appointment, booking or customer adds to `rollups` in its own
-- transaction, whatever code makes it.

-- The midnight that a day begins with by the clocks of a zone: where they show it twice, the first.
create function start_of_day(day date, zone text) returns timestamptz
language sql stable parallel safe as $$
  select case
    when ((day::timestamp at time zone zone) - interval '1 hour') at time zone zone >= day
      then (day::timestamp at time zone zone) - interval '1 hour'
    else day::timestamp at time zone zone end
$$;
--> statement-breakpoint
create type figures as (
  kind text, item_id int, currency text, bucket timestamptz, pending int, approved int,
  completed int, canceled int, rejected int, no_shows int, host_no_shows int, minutes int,
  revenue bigint
);
--> statement-breakpoint
create function utc_day(at timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select date_bin('1 day', at, '2000-01-01T00:00:00Z')
$$;
--> statement-breakpoint
create function utc_quarter(at timestamptz) returns timestamptz
language sql immutable parallel safe as $$
  select date_bin('15 minutes', at, '2000-01-01T00:00:00Z')
$$;
--> statement-breakpoint
-- Revenue is the price of what is completed, less what was paid back. What is deleted does not count.
create function appointment_figures(a appointments) returns setof figures
language sql stable parallel safe as $$
  select k.kind, k.item_id, a.currency, k.bucket,
    (a.status = 'pending')::int, (a.status = 'approved')::int, (a.status = 'completed')::int,
    (a.status = 'canceled')::int, 0, (a.no_show and a.status <> 'canceled')::int, 0,
    case when a.status = 'canceled' then 0
      else (extract(epoch from a.end_time - a.start_time) / 60)::int end,
    case when a.status = 'completed' then a.price - a.amount_refunded else 0 end::bigint
  from (values
    ('service', a.service_id, utc_day(a.start_time)),
    ('employee', coalesce(a.employee_id, 0), utc_day(a.start_time)),
    ('appointment', 0, utc_quarter(a.start_time))
  ) as k(kind, item_id, bucket)
  where a.hidden_at is null
$$;
--> statement-breakpoint
-- A booking earns its price once it is paid and accepted. Who did not come is counted by attendee.
create function booking_figures(b bookings) returns setof figures
language sql stable parallel safe as $$
  select k.kind, k.item_id, b.currency, k.bucket,
    (b.status in ('pending', 'awaiting_host'))::int, (b.status = 'accepted')::int, 0,
    (b.status = 'cancelled')::int, (b.status = 'rejected')::int,
    (select count(*) from booking_attendees t
      where t.account_id = b.account_id and t.booking_id = b.id and t.no_show)::int,
    b.no_show_host::int,
    case when b.status in ('cancelled', 'rejected') then 0
      else (extract(epoch from b.end_time - b.start_time) / 60)::int end,
    case when b.status = 'accepted' and b.paid then b.price else 0 end::bigint
  from (values
    ('event_type', coalesce(b.event_type_id, 0), utc_day(b.start_time)),
    ('host', coalesce(b.user_id, 0), utc_day(b.start_time)),
    ('booking', 0, utc_quarter(b.start_time))
  ) as k(kind, item_id, bucket)
$$;
--> statement-breakpoint
create function customer_figures(c customers) returns setof figures
language sql stable parallel safe as $$
  select 'customer', 0, '', utc_day(c.created_at), 0, 1, 0, 0, 0, 0, 0, 0, 0::bigint
  where c.deleted_at is null
$$;
--> statement-breakpoint
-- What is now, less what was before; nothing where that is the same.
create function add_figures(account int, plus figures[], minus figures[]) returns void
language sql as $$
  insert into rollups (account_id, kind, item_id, currency, bucket, pending, approved, completed,
    canceled, rejected, no_shows, host_no_shows, minutes, revenue)
  select account, kind, item_id, currency, bucket, sum(n * pending), sum(n * approved),
    sum(n * completed), sum(n * canceled), sum(n * rejected), sum(n * no_shows),
    sum(n * host_no_shows), sum(n * minutes), sum(n * revenue)
  from (select 1 as n, p.* from unnest(plus) p union all select -1, m.* from unnest(minus) m) f
  group by kind, item_id, currency, bucket
  having sum(n * pending) <> 0 or sum(n * approved) <> 0 or sum(n * completed) <> 0
    or sum(n * canceled) <> 0 or sum(n * rejected) <> 0 or sum(n * no_shows) <> 0
    or sum(n * host_no_shows) <> 0 or sum(n * minutes) <> 0 or sum(n * revenue) <> 0
$$;
--> statement-breakpoint
create function count_appointment() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_figures(new.account_id, array(select f from appointment_figures(new) f), '{}');
  else
    perform add_figures(new.account_id, array(select f from appointment_figures(new) f),
      array(select f from appointment_figures(old) f));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger count_new after insert on appointments
  for each row execute function count_appointment();
--> statement-breakpoint
create trigger count_changed after update on appointments for each row
  when ((old.status, old.start_time, old.end_time, old.service_id, old.employee_id, old.price,
      old.amount_refunded, old.currency, old.no_show, old.hidden_at)
    is distinct from (new.status, new.start_time, new.end_time, new.service_id, new.employee_id,
      new.price, new.amount_refunded, new.currency, new.no_show, new.hidden_at))
  execute function count_appointment();
--> statement-breakpoint
create function count_booking() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_figures(new.account_id, array(select f from booking_figures(new) f), '{}');
  else
    perform add_figures(new.account_id, array(select f from booking_figures(new) f),
      array(select f from booking_figures(old) f));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger count_new after insert on bookings for each row execute function count_booking();
--> statement-breakpoint
create trigger count_changed after update on bookings for each row
  when ((old.status, old.start_time, old.end_time, old.event_type_id, old.user_id, old.price,
      old.paid, old.currency, old.no_show_host)
    is distinct from (new.status, new.start_time, new.end_time, new.event_type_id, new.user_id,
      new.price, new.paid, new.currency, new.no_show_host))
  execute function count_booking();
--> statement-breakpoint
-- One who did not come is counted where the booking is counted.
create function count_absence() returns trigger language plpgsql as $$
declare
  who booking_attendees := coalesce(new, old);
  change int := coalesce(new.no_show, false)::int - coalesce(old.no_show, false)::int;
begin
  insert into rollups (account_id, kind, item_id, currency, bucket, pending, approved, completed,
    canceled, rejected, no_shows, host_no_shows, minutes, revenue)
  select b.account_id, f.kind, f.item_id, f.currency, f.bucket, 0, 0, 0, 0, 0, change, 0, 0, 0
  from bookings b, booking_figures(b) f
  where b.account_id = who.account_id and b.id = who.booking_id;
  return null;
end $$;
--> statement-breakpoint
create trigger count_new after insert on booking_attendees for each row
  when (new.no_show) execute function count_absence();
--> statement-breakpoint
create trigger count_changed after update on booking_attendees for each row
  when (old.no_show <> new.no_show) execute function count_absence();
--> statement-breakpoint
create trigger count_gone after delete on booking_attendees for each row
  when (old.no_show) execute function count_absence();
--> statement-breakpoint
create function count_customer() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_figures(new.account_id, array(select f from customer_figures(new) f), '{}');
  else
    perform add_figures(new.account_id, array(select f from customer_figures(new) f),
      array(select f from customer_figures(old) f));
  end if;
  return null;
end $$;
--> statement-breakpoint
create trigger count_new after insert on customers for each row execute function count_customer();
--> statement-breakpoint
create trigger count_changed after update on customers for each row
  when ((old.created_at, old.deleted_at) is distinct from (new.created_at, new.deleted_at))
  execute function count_customer();
--> statement-breakpoint
-- Everything that there is, counted anew: what the sums of `rollups` must be.
create view recount as
  select account_id, kind, item_id, currency, bucket, sum(pending) as pending,
    sum(approved) as approved, sum(completed) as completed, sum(canceled) as canceled,
    sum(rejected) as rejected, sum(no_shows) as no_shows, sum(host_no_shows) as host_no_shows,
    sum(minutes) as minutes, sum(revenue) as revenue
  from (
    select a.account_id, f.* from appointments a, appointment_figures(a) f
    union all select b.account_id, f.* from bookings b, booking_figures(b) f
    union all select c.account_id, f.* from customers c, customer_figures(c) f
  ) all_figures
  group by account_id, kind, item_id, currency, bucket;
--> statement-breakpoint
insert into rollups (account_id, kind, item_id, currency, bucket, pending, approved, completed,
  canceled, rejected, no_shows, host_no_shows, minutes, revenue, folded)
select *, true from recount;
