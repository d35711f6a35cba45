/** What is wanted, unless it is so already. */
export const unless = <T>(is: T, wanted: T | undefined): T | undefined =>
  wanted === is ? undefined : wanted
