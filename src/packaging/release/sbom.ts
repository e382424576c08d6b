import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './runtimes.ts'

interface Component {
  'bom-ref': string
  name: string
  version: string
  properties?: unknown
}

interface Bom {
  serialNumber?: string
  metadata: { timestamp?: string; component: Component; lifecycles: unknown }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * The CycloneDX document of `npm sbom`, reduced to the packages inside the program, and with the two parts that are not packages. It has neither
 * a time nor a random number, so that the same sources make the same document.
 */
export function describeContent(packages: readonly string[]): string {
  const all: Bom = JSON.parse(npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--workspaces=false']))
  const inside = new Set(packages.map(refOf))
  const { timestamp: _, ...metadata } = all.metadata
  const { serialNumber: __, ...rest } = all
  const components = all.components.filter((each) => inside.has(each['bom-ref']))
  const missing = [...inside].filter((ref) => !components.some((each) => each['bom-ref'] === ref))
  if (missing.length > 0) throw new Error(`npm sbom does not know ${missing.join(', ')}`)
  const refs = new Set([all.metadata.component['bom-ref'], ...inside])
  const document = {
    ...rest,
    metadata: {
      ...metadata,
      lifecycles: [{ phase: 'build' }],
      component: { ...metadata.component, type: 'application', name: 'kontor', properties: [] },
    },
    components: [...components.map((each) => ({ ...each, scope: 'required', properties: [] })), node(), sqlite()],
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** `koa@3.3.0` */
function refOf(directory: string): string {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  return `${name}@${version}`
}

function node() {
  const { node: version } = process.versions
  return part('platform', 'nodejs', version, 'MIT', 'The runtime inside the executables')
}

function sqlite() {
  const header = readFileSync('node_modules/better-sqlite3/deps/sqlite3/sqlite3.h', 'utf8')
  const version = /^#define SQLITE_VERSION +"([\d.]+)"/m.exec(header)![1]!
  return part('library', 'sqlite', version, 'blessing', 'In the addon of better-sqlite3')
}

function part(type: string, name: string, version: string, license: string, description: string) {
  return {
    'bom-ref': `${name}@${version}`,
    type,
    name,
    version,
    description,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { id: license } }],
  }
}
