-- The title of a booking with seats named whoever had booked the first of them.
update bookings b set title = coalesce(e.title, 'Meeting') || ' with ' || coalesce(u.name, 'the team')
from bookings as self
left join event_types e on e.account_id = self.account_id and e.id = self.event_type_id
left join users u on u.id = self.user_id
where self.account_id = b.account_id and self.id = b.id and b.is_seated
  and (e.custom_name is null or e.custom_name like '%{Scheduler}%');
