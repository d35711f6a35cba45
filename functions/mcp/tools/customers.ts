import * as z from 'zod'
import { ById, Paging } from '#lib/core/schemas.ts'
import { customer } from '#lib/domain/customers/operations.ts'
import { CustomerFilter } from '#lib/domain/customers/schema.ts'
import { TopCustomers, topCustomers } from '#lib/domain/customers/top.ts'
import { DELETED } from '#lib/mcp/output.ts'
import { changeById, creates, deletes, reads, type Tools, updates } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

const Search = Paging.extend({
  ...CustomerFilter.shape,
  query: z.string().trim().max(200).optional().describe('The same as search'),
})

/** Those who book services. */
export const tools: Tools = {
  search_customers: reads(
    'Find customers by words of their name, e-mail address or telephone number; all of them where nothing is asked for.',
    Search,
    (m, { query, ...filter }) => customer.list(m, { ...filter, search: filter.search ?? query }),
    ANSWER.customers,
  ),
  get_customer: reads('Read one customer.', ById, customer.find, ANSWER.customer),
  create_customer: creates(
    'Add a customer. Search first: an e-mail address belongs to one customer only.',
    customer.New,
    customer.create,
    ANSWER.customer,
  ),
  list_top_customers: reads(
    'The customers who paid most, or who booked most often.',
    TopCustomers,
    topCustomers,
    ANSWER.top,
  ),
  update_customer: updates(
    'Change a customer; what is left out stays.',
    changeById(customer.Change),
    customer.update,
    ANSWER.customer,
  ),
  delete_customer: deletes(
    'Delete a customer. Their appointments are kept.',
    ById,
    customer.remove,
    DELETED,
  ),
}
