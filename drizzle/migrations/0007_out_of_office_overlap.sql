-- Nobody is away twice at the same time.
alter table out_of_office add constraint out_of_office_no_overlap
  exclude using gist (account_id with =, user_id with =, tstzrange(start_time, end_time) with &&);
