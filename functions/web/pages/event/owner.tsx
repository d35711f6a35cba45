import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import {
  findOwner,
  type ListedEventType,
  type OwnerAddress,
} from '#lib/domain/event-types/public.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { count, englishFor, writeLength, writePrice } from '#lib/pages/words.ts'

const Offer = ({ offer, locale }: { offer: ListedEventType; locale: string }) => {
  const { title, path, description, length, price, currency, seats } = offer
  const facts = [writeLength(length), seats && `up to ${count(seats, 'seat')}`]
  return (
    <li class="offer">
      <div>
        <h2>
          <a href={path}>{title}</a>
        </h2>
        {description ? <p>{description}</p> : null}
        <p class="quiet">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      {price > 0 ? <p class="price">{writePrice(price, currency, locale)}</p> : null}
    </li>
  )
}

/** The page of a user or a team: what can be booked with them. */
export async function showOwner<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: OwnerAddress,
): Promise<Response> {
  const { name, about, business, eventTypes } = await findOwner(v, address)
  return showPage(
    c,
    <Layout title={name} forCustomers>
      <div class="shop stack">
        {business.name === name ? null : <p class="quiet">{business.name}</p>}
        <h1>{name}</h1>
        {about ? <p class="lead">{about}</p> : null}
        {eventTypes.length === 0 ? (
          <p class="note">Nothing can be booked here yet.</p>
        ) : (
          <ul class="card offers">
            {eventTypes.map(offer => (
              <Offer offer={offer} locale={englishFor(business.locale)} />
            ))}
          </ul>
        )}
      </div>
    </Layout>,
  )
}
