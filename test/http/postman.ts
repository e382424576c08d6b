import { convertV2 } from 'openapi-to-postmanv2'

interface Value {
  key: string
  value: string
  disabled?: boolean
}

/** A request of a collection as Postman sends it, without disabled parameters. */
export interface PostmanRequest {
  name: string
  method: string
  /** With variables: `{{baseUrl}}/api-v1-me`. */
  url: string
  headers: Record<string, string>
  body: string | undefined
}

interface Item {
  name: string
  item?: Item[]
  request: {
    method: string
    header: Value[]
    url: { host: string[]; path: string[]; query: Value[]; variable: Value[] }
    auth?: { type: string; bearer?: Value[] }
    body?: { raw?: string }
  }
}

/** The import settings that docs/api.md recommends. */
const importSettings = { parametersResolution: 'Example', enableOptionalParameters: false } as const

type ImportSettings = Parameters<typeof convertV2>[1]

/** The requests that Postman generates from the document, by default with the settings of docs/api.md. */
export function importIntoPostman(
  document: unknown,
  settings: ImportSettings = importSettings,
): Promise<PostmanRequest[]> {
  const input = { type: 'string', data: JSON.stringify(document) } as const
  return new Promise((resolve, reject) => {
    convertV2(input, settings, (error, conversion) => {
      const [collection] = conversion?.output ?? []
      if (collection) resolve(requestsOf(collection.data as unknown as Item))
      else reject(error ?? new Error(conversion?.reason))
    })
  })
}

function requestsOf(item: Item): PostmanRequest[] {
  if (item.item) return item.item.flatMap(requestsOf)
  const { method, url, header, auth, body } = item.request
  const path = url.path.map((part) => url.variable.find(({ key }) => part === `:${key}`)?.value ?? part)
  const query = enabled(url.query).map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
  const token = auth?.bearer?.find(({ key }) => key === 'token')?.value
  const headers = Object.fromEntries(enabled(header).map(({ key, value }) => [key, value]))
  return [
    {
      name: item.name,
      method,
      url: [[...url.host, ...path].join('/'), query.join('&')].filter(Boolean).join('?'),
      headers: token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` },
      body: body?.raw,
    },
  ]
}

function enabled(values: Value[]): Value[] {
  return values.filter(({ disabled }) => !disabled)
}
