-- Businesses were given the address that their owner signs in with, where their customers read it. Those
-- whose settings were never changed have not chosen it.
update accounts a set email = null
from members m join users u on u.id = m.user_id
where m.account_id = a.id and m.role = 'owner' and lower(u.email) = lower(a.email)
  and a.updated_at = a.created_at;
