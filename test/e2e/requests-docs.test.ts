import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { make } from '../support/make.ts'
import { run } from '../support/program.ts'
import { start } from '../support/start.ts'

const root = new URL('../../', import.meta.url).pathname

interface Shown {
  command: string
  /** What the page shows of the response. */
  response: string
}

/** The curl commands of a page, each with the lines up to the next one. */
function requestsOf(page: string): Shown[] {
  const text = readFileSync(`${root}docs/${page}`, 'utf8')
  const blocks = [...text.matchAll(/^ *```(?:sh|console)\n([\s\S]*?)^ *```/gm)].map(([, block]) => block!)
  const parts = blocks.flatMap((block) => block.split(/^(?=\$ curl )/m)).filter((part) => part.startsWith('$ curl '))
  return parts.map((part) => {
    const lines = part.slice(2).split('\n')
    const end = lines.findIndex((line, at) => !line.endsWith('\\') && isClosed(lines.slice(0, at + 1).join('\n')))
    return { command: lines.slice(0, end + 1).join('\n'), response: lines.slice(end + 1).join('\n') }
  })
}

function isClosed(command: string): boolean {
  return command.split("'").length % 2 === 1
}

/** The members that a text of JSON names, however much of it is left out. */
function membersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/"([\w:.]+)":/g)].map(([, name]) => name!))]
}

for (const page of ['api.md', 'import.md']) {
  test(`Every request of docs/${page} gets a response with the members that the page shows`, async (t) => {
    const { url, company } = await start(t)
    const { client } = await company('Acme')
    const organization = await make(client, 'organization', { name: 'Müller Feinkost', status: 'active' })
    const emails = [{ email: 'twice@mueller.example' }]
    const [one, other] = [await make(client, 'contact', { emails }), await make(client, 'contact', { emails })]
    await make(client, 'deal', { value: 5, currency: 'EUR' })
    let last = ''
    /** The ids of the page stand for records that are there. */
    const withIds = (command: string) =>
      command
        .replace(/("organization_id":"|api-v1-organizations\/)[\w…-]+/g, `$1${organization.id}`)
        .replace(/(api-v1-contacts\/)[\w…-]+(\/merge)/, `$1${one.id}$2`)
        .replace(/("with":\[")[\w…-]+/, `$1${other.id}`)
        .replace(/(view=)[\w-]+/, `$1${/"id":"([^"]+)"/.exec(last)?.[1]}`)
        .replace(/(bulk\/jobs\/)[\w-]+/, `$1${/"job_id":"([^"]+)"/.exec(last)?.[1]}`)
        .replace('created_at[gte]=2026-11-01', 'created_at[gte]=2020-01-01')

    const requests = requestsOf(page)
    assert.ok(requests.length >= 2)
    for (const { command, response } of requests) {
      const env = { KONTOR_URL: url, KONTOR_KEY: client.key }
      const { stdout } = await run(['bash'], ['-c', withIds(command).replace('curl ', 'curl -sS ')], { env })

      const missing = membersOf(response).filter((name) => !stdout.includes(`"${name}":`))
      assert.deepEqual(missing, [], `${command}\n${stdout}`)
      assert.equal(stdout.includes('"error":{'), response.includes('"error":{'), `${command}\n${stdout}`)
      last = stdout
    }
  })
}
