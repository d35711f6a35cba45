import { ById, Paging } from '#lib/core/schemas.ts'
import { category, service } from '#lib/domain/catalog/operations.ts'
import { location } from '#lib/domain/company/operations.ts'
import { listInvoices } from '#lib/domain/invoices/operations.ts'
import { InvoiceFilter } from '#lib/domain/invoices/schema.ts'
import { product, updateProductStock } from '#lib/domain/products/operations.ts'
import { StockChange } from '#lib/domain/products/schema.ts'
import { employee } from '#lib/domain/staff/operations.ts'
import { creates, reads, type Tools } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** What the business has: places, services, people, goods. */
export const tools: Tools = {
  list_locations: reads(
    'List the locations where services are given, with their time zones.',
    location.Filter,
    location.list,
    ANSWER.locations,
  ),
  get_location: reads('Read one location.', ById, location.find, ANSWER.location),
  list_services: reads(
    'List the services that customers book, with their ids, lengths in minutes and prices in cents.',
    service.Filter,
    service.list,
    ANSWER.services,
  ),
  get_service: reads('Read one service.', ById, service.find, ANSWER.service),
  list_staff: reads(
    'List the employees who give services, with the services and locations of each.',
    employee.Filter,
    employee.list,
    ANSWER.staff,
  ),
  get_staff: reads('Read one employee.', ById, employee.find, ANSWER.staffMember),
  list_products: reads(
    'List the products that are sold, with their prices in cents and how many are in stock.',
    product.Filter,
    product.list,
    ANSWER.products,
  ),
  update_product_stock: creates(
    'Set how many of a product are in stock (stock), or add and take away (delta). It never goes below zero.',
    StockChange,
    updateProductStock,
    ANSWER.product,
  ),
  list_invoices: reads(
    'List invoices, the newest first, with what of each is paid and due, in cents.',
    Paging.extend(InvoiceFilter.shape),
    listInvoices,
    ANSWER.invoices,
  ),
  list_service_categories: reads(
    'List the categories of services.',
    category.Filter,
    category.list,
    ANSWER.categories,
  ),
}
