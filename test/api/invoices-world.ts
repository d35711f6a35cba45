import { createAccount, type Reply, type TestAccount } from '../client.ts'

export const INVOICES = '/api/services/invoices'
export const by = (id: unknown) => `${INVOICES}?id=${id}`

/** An account with a customer to bill. */
export interface Biller {
  account: TestAccount
  customerId: number
}

/** Opens an account with a customer. */
export async function openBiller(): Promise<Biller> {
  const account = await createAccount()
  const cleo = { name: 'Cleo', email: 'cleo@example.org', phone: '+15550101010' }
  const made = await account.client.post('/api/services/customers', cleo)
  return { account, customerId: Number(made.body.id) }
}

export const ONE_CUT = [{ description: 'Cut', quantity: 1, unitPrice: 5000 }]

/** Asks for an invoice of a cut, unless `more` says otherwise. */
export const bill = (
  { account, customerId }: Biller,
  more: object = {},
  headers: Record<string, string> = {},
): Promise<Reply> => account.client.post(INVOICES, { customerId, items: ONE_CUT, ...more }, headers)
