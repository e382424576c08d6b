/** Hosts at which many companies have a page each. */
const shared: ReadonlySet<string> = new Set(
  `facebook.com fb.com instagram.com linkedin.com xing.com twitter.com x.com youtube.com youtu.be tiktok.com pinterest.com pinterest.de
  threads.net threads.com vimeo.com vk.com wa.me whatsapp.com t.me telegram.me linktr.ee github.com gitlab.com medium.com
  google.com google.de goo.gl g.page amazon.com amazon.de ebay.com ebay.de etsy.com kleinanzeigen.de yelp.com yelp.de
  tripadvisor.com tripadvisor.de gelbeseiten.de dasoertliche.de 11880.com crunchbase.com kununu.com northdata.de`.split(
    /\s+/,
  ),
)

/** Parts of shared hosts that do not tell pages apart: `www`, `m`, and languages. */
const variant = /^(?:www|m|[a-z]{2}(?:-[a-z]{2})?)$/

/**
 * The domain of a web address: `https://www.acme.example/about` is `acme.example`. An address at a host that many companies share keeps its
 * path: `facebook.com/acme`; without one, it is that of no company: undefined. Other text is unchanged.
 */
export function domainOf(cell: string): string | undefined {
  const [, scheme, www, host = '', rest = ''] = /^(https?:\/\/)?(www\.)?([^/?#:\s]+)(?::\d+)?(.*)$/is.exec(cell) ?? []
  const page = rest.replace(/\/+$/, '')
  const whole = sharedHost(host.toLowerCase())
  if (whole !== undefined && page !== '') return `${whole}${page}`
  if ((scheme ?? www) === undefined) return cell
  return whole !== undefined && shared.has(whole) ? undefined : host
}

/** `de.linkedin.com` is `linkedin.com`, `sites.google.com` is itself; undefined: the host is a company's own. */
function sharedHost(host: string): string | undefined {
  const parts = host.split('.')
  const at = parts.findIndex((_, index) => shared.has(parts.slice(index).join('.')))
  return at === -1 ? undefined : parts.filter((part, index) => index >= at || !variant.test(part)).join('.')
}
