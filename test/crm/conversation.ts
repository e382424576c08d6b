import type { Client } from '../support/client.ts'

type Step = readonly [method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: Record<string, unknown>]

/** `<name>` stands for the id of the record that the request of this number created, or of the stage in this place. */
const steps: readonly Step[] = [
  ['get', 'stages'],
  ['get', 'stages?sort=-position&limit=2'],
  ['get', 'stages?kind=won'],
  ['post', 'stages', { name: 'Demo', position: 1, metadata: { by: 'hand' } }],
  ['post', 'stages', { name: 'demo' }],
  ['post', 'stages', { color: 'red' }],
  ['patch', 'stages/<3>', { position: 4, color: '#ABCDEF' }],
  ['get', 'stages?page=1&per_page=3'],
  ['post', 'organizations', { name: 'Nord' }],
  ['post', 'contacts', { first_name: 'Ada', organization_id: '<8>', emails: [{ email: 'ada@nord.example' }] }],
  ['post', 'deals', { title: 'Hampers', value: 12.5, organization_id: '<8>', contact_id: '<9>' }],
  ['post', 'deals', { title: 'Baskets', stage_id: '<stage 2>', currency: 'chf', probability: 40 }],
  ['post', 'deals', { title: 'Nowhere', stage_id: '<8>' }],
  ['post', 'deals', {}],
  ['get', 'deals?include=stage,organization&sort=title'],
  ['get', 'deals/<10>'],
  ['patch', 'deals/<10>/stage', { stage_id: '<stage 4>' }],
  ['patch', 'deals/<10>/stage', {}],
  ['patch', 'deals/<11>', { stage_id: null }],
  ['get', 'deals?stage_id=<stage 4>'],
  ['get', 'deals?stage_id[ne]=<stage 4>&limit=1'],
  ['get', 'deals/summary?group_by=stage_id&measure=count,sum:value,weighted:value'],
  ['get', 'stages/summary?group_by=kind'],
  ['delete', 'stages/<stage 4>'],
  ['delete', 'stages/<3>'],
  ['get', 'stages/<3>'],
  ['post', 'trash/<3>/restore'],
  ['get', 'stages'],
  ['post', 'tasks', { title: 'Call', deal_id: '<10>', due_date: '2026-12-24' }],
  ['patch', 'tasks/<28>/complete'],
  ['post', 'activities', { type: 'note', subject: 'Met', contact_id: '<9>' }],
  ['get', 'deals/<10>/history'],
  ['delete', 'deals/<10>'],
  ['get', 'trash'],
  ['get', 'deals'],
]

/** Makes the requests, and returns each with its response. Ids are numbered, cursors, numbers of changes and request ids left out. */
export async function converse(client: Client): Promise<string[]> {
  const stages = (await client.get('/api-v1-stages')).body.data.map(({ id }: { id: string }) => id)
  const made: string[] = []
  const known = new Map<string, string>()
  const withIds = (text: string) =>
    text.replace(/<(stage )?(\d+)>/g, (_, stage, at) => (stage ? stages : made)[Number(at)])
  const numbered = (text: string) =>
    text.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, (id) => {
      if (!known.has(id)) known.set(id, `#${known.size + 1}`)
      return known.get(id)!
    })
  const lines: string[] = []
  for (const [method, path, body = {}] of steps) {
    const [url, sent] = [withIds(`/api-v1-${path}`), JSON.parse(withIds(JSON.stringify(body)))]
    const response =
      method === 'post' || method === 'patch' ? await client[method](url, sent) : await client[method](url)
    made.push(response.body.data?.id)
    const shown = JSON.stringify(response.body, (name, value) => (volatile.includes(name) ? typeof value : value))
    lines.push(numbered(`${method} ${path} ${response.status} ${shown}`))
  }
  return lines
}

const volatile = ['next_cursor', 'seq', 'request_id', 'key_id', 'actor']
