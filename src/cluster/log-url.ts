export interface Endpoint {
  host: string
  port: number
}

interface LogUrl {
  endpoints: readonly Endpoint[]
  /** The start of all keys, without slashes at its ends. */
  prefix: string
}

const defaultPort = 2379
/** Parses the address of a log, which has the form of the setting. */
export function parseLogUrl(text: string): LogUrl {
  const [, members, path = ''] = /^etcd:\/\/([^/]+)(?:\/(.*))?$/i.exec(text)!
  return { endpoints: members!.split(',').map(parseEndpoint), prefix: path.replace(/^\/+|\/+$/g, '') || 'kontor' }
}

function parseEndpoint(text: string): Endpoint {
  const [, inBrackets, name, port = defaultPort] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text)!
  return { host: (inBrackets ?? name)!, port: Number(port) }
}
