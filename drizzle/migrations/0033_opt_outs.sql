ALTER TABLE "accounts" ADD COLUMN "address_key" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
-- An address or a number as it is known again: keyed by the account, so that it is another hash in each
-- and no table of hashes made elsewhere finds it. Case does not count, nor by what a number is written to.
create function opt_out_hash(account int, address text) returns text language sql stable as $$
  select encode(sha256(convert_to(a.address_key::text
    || lower(replace(opt_out_hash.address, 'whatsapp:', '')), 'UTF8')), 'hex')
  from accounts a where a.id = account
$$;
--> statement-breakpoint
ALTER TABLE "message_opt_outs" ADD COLUMN "address_hash" text;--> statement-breakpoint
update message_opt_outs set address_hash = opt_out_hash(account_id, address);
--> statement-breakpoint
ALTER TABLE "message_opt_outs" ALTER COLUMN "address_hash" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "message_opt_outs" DROP CONSTRAINT "message_opt_outs_pkey";--> statement-breakpoint
ALTER TABLE "message_opt_outs" DROP COLUMN "address";--> statement-breakpoint
ALTER TABLE "message_opt_outs" ADD CONSTRAINT "message_opt_outs_pkey" PRIMARY KEY("account_id","channel","address_hash");--> statement-breakpoint
ALTER TABLE "message_opt_outs" ADD CONSTRAINT "message_opt_outs_hash" CHECK (address_hash ~ '^[0-9a-f]{64}$');--> statement-breakpoint
-- Customers said so in a column of theirs, those among them too who were deleted since. Where the address
-- is that of somebody else by now who did not, it is theirs.
insert into message_opt_outs (account_id, channel, address_hash, created_at)
select c.account_id, 'email', opt_out_hash(c.account_id, c.email), max(c.updated_at)
from customers c
where c.email_unsubscribed and c.email is not null and (c.deleted_at is null or not exists (
  select from customers x where x.account_id = c.account_id and lower(x.email) = lower(c.email)
    and x.deleted_at is null and not x.email_unsubscribed))
group by c.account_id, opt_out_hash(c.account_id, c.email)
on conflict do nothing;
--> statement-breakpoint
ALTER TABLE "customers" DROP COLUMN "email_unsubscribed";--> statement-breakpoint
create function opted_out(account int, channel text, address text) returns boolean language sql stable as $$
  select exists (select from message_opt_outs o where o.account_id = account and o.channel = opted_out.channel
    and o.address_hash = opt_out_hash(account, address))
$$;
--> statement-breakpoint
-- Another address of a customer is the same person's, who wants no more e-mails there either. Consent to
-- text messages was given for a number, so it ends with one that has answered STOP.
create function keep_opt_out() returns trigger language plpgsql as $$
begin
  if new.email is not null and opted_out(old.account_id, 'email', old.email) then
    insert into message_opt_outs (account_id, channel, address_hash, created_at)
    values (new.account_id, 'email', opt_out_hash(new.account_id, new.email), new.updated_at)
    on conflict do nothing;
  end if;
  if opted_out(old.account_id, 'sms', old.phone) and new.phone is distinct from old.phone then
    new.sms_consent := false;
  end if;
  return new;
end $$;
--> statement-breakpoint
create trigger keep_opt_out before update of email, phone on customers for each row
  when (new.email is distinct from old.email or new.phone is distinct from old.phone)
  execute function keep_opt_out();
