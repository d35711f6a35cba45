/** What we ask of the domain name system. */
export interface Dns {
  /**
   * Every IPv4 and IPv6 address of a host; none when it has none.
   * @throws DnsError when there is no answer
   */
  addresses(host: string): Promise<string[]>
}

/** The question was not answered: nothing is known of the host. */
export class DnsError extends Error {}
