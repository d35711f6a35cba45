import type { Mailbox } from '../mailbox.ts'
import type { Contract } from './contract.ts'

/** What every emulator is made from. */
export interface EmulatorContext {
  /** Where sent messages go. */
  mailbox: Mailbox
  /** The emulator's clock. */
  now(): Date
}

/**
 * A stand-in for one outside service: pure over Request and Response, state in memory. The host
 * has checked a request against the contract before `fetch` sees it, and checks the answer.
 */
export interface Emulator {
  /** The segment below `/_dev/` under which it is controlled. */
  name: string
  hosts: string[]
  contract: Contract
  fetch(request: Request): Promise<Response>
  /** The provider's own form of an error, for requests that its contract refuses and for faults. */
  refuse(status: number, message: string): Response
  /** What a person would do at the provider; `action` is the path below `/_dev/<name>/`. */
  control?(action: string, request: Request): Promise<Response>
}
