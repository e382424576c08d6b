/** Hosts at which many companies have a page each. */
const shared: ReadonlySet<string> = new Set(
  `facebook.com fb.com instagram.com linkedin.com xing.com twitter.com x.com youtube.com youtu.be tiktok.com pinterest.com pinterest.de
  threads.net threads.com vimeo.com vk.com wa.me whatsapp.com t.me telegram.me linktr.ee github.com gitlab.com medium.com
  google.com google.de goo.gl g.page amazon.com amazon.de ebay.com ebay.de etsy.com kleinanzeigen.de yelp.com yelp.de
  tripadvisor.com tripadvisor.de gelbeseiten.de dasoertliche.de 11880.com crunchbase.com kununu.com northdata.de`.split(
    /\s+/,
  ),
)

/**
 * The domain of a web address: `https://www.acme.example/about` is `acme.example`. An address at a host that many companies share keeps its
 * path: `facebook.com/acme`. Other text is unchanged.
 */
export function domainOf(cell: string): string {
  const [, scheme, www, host = '', rest = ''] = /^(https?:\/\/)?(www\.)?([^/?#:\s]+)(?::\d+)?(.*)$/is.exec(cell) ?? []
  const page = rest.replace(/\/+$/, '')
  const whole = page === '' ? undefined : sharedHost(host.toLowerCase())
  if (whole !== undefined) return `${whole}${page}`
  return (scheme ?? www) === undefined ? cell : host
}

/** `de.linkedin.com` is `linkedin.com`; undefined: the host is a company's own. */
function sharedHost(host: string): string | undefined {
  const parts = host.split('.')
  return parts.map((_, at) => parts.slice(at).join('.')).find((each) => shared.has(each))
}
