-- A deleted event type leaves its bookings behind, without a type.
alter table bookings drop constraint bookings_event_type_fk, add constraint bookings_event_type_fk
  foreign key (account_id, event_type_id) references event_types (account_id, id)
  on delete set null (event_type_id);
--> statement-breakpoint
alter table event_types drop constraint event_types_schedule_fk, add constraint event_types_schedule_fk
  foreign key (account_id, schedule_id) references schedules (account_id, id)
  on delete set null (schedule_id);
--> statement-breakpoint
alter table event_type_hosts drop constraint event_type_hosts_schedule_fk,
  add constraint event_type_hosts_schedule_fk
  foreign key (account_id, schedule_id) references schedules (account_id, id)
  on delete set null (schedule_id);
