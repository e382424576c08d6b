declare module 'mailauth/lib/tools.js' {
  /** Whether a domain shares its organization's domain with one of others, by the list of public suffixes. */
  export function getAlignment(domain: string, others: readonly string[]): object | false
}
