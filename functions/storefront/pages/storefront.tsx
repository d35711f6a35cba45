import type { Context } from 'hono'
import type { Visitor } from '#lib/core/context.ts'
import type { ShownService, Storefront } from '#lib/domain/storefront/schema.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { count, englishFor, writeLength, writePrice } from '#lib/pages/words.ts'
import { readShop } from '../service-choices.ts'

/** The services in their order, under the names of their categories. */
function byCategory(services: readonly ShownService[]): [name: string, ShownService[]][] {
  const groups = new Map<string, ShownService[]>()
  for (const service of services) {
    const name = service.category ?? ''
    groups.set(name, [...(groups.get(name) ?? []), service])
  }
  return [...groups]
}

const Service = ({ shop, service }: { shop: Storefront; service: ShownService }) => {
  const { name, description, duration, price, currency, seats } = service
  const facts = [writeLength(duration), seats && `group of up to ${count(seats, 'person')}`]
  return (
    <li class="offer">
      <div>
        <h3>
          <a href={`/b/${shop.subdomain}/${service.slug}`}>{name}</a>
        </h3>
        {description ? <p>{description}</p> : null}
        <p class="quiet">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <p class="price">{writePrice(price, currency, englishFor(shop.locale))}</p>
    </li>
  )
}

/** How to reach a business and where it is. */
const Contact = ({ shop }: { shop: Pick<Storefront, 'phone' | 'email' | 'address'> }) => {
  const { phone, email, address } = shop
  if (!phone && !email && !address) return null
  return (
    <p class="contact quiet">
      {address ? <span>{address}</span> : null}
      {phone ? <a href={`tel:${phone}`}>{phone}</a> : null}
      {email ? <a href={`mailto:${email}`}>{email}</a> : null}
    </p>
  )
}

/** The booking page of a business: what it offers. */
export async function showStorefront<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  subdomain: string,
): Promise<Response> {
  const shop = await readShop(v, subdomain)
  const places = shop.locations.filter(l => l.address)
  return showPage(
    c,
    <Layout title={shop.name} forCustomers>
      <div class="shop stack">
        <h1>{shop.name}</h1>
        {shop.description ? <p class="lead">{shop.description}</p> : null}
        <Contact shop={shop} />
        {places.length > 0 ? (
          <ul class="places quiet">
            {places.map(({ name, address }) => (
              <li>
                <strong>{name}</strong> {address}
              </li>
            ))}
          </ul>
        ) : null}
        {shop.services.length === 0 ? <p class="note">Nothing can be booked here yet.</p> : null}
        {byCategory(shop.services).map(([name, services]) => (
          <section>
            <h2>{name || 'Services'}</h2>
            <ul class="card offers">
              {services.map(service => (
                <Service shop={shop} service={service} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Layout>,
  )
}
