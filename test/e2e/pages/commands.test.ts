import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutJq } from '../../support/needs.ts'
import { until } from '../../support/wait.ts'
import { newMachine } from './machine.ts'
import { pagesWithCommands, type Unit, unitsOf } from './page.ts'
import { company, organization, preparations } from './preparations.ts'
import { checkCall } from './programs.ts'
import type { Output } from './terminal.ts'

/** The members that a text of JSON names, however much of it is left out. */
function membersOf(text: string): string[] {
  return [...new Set([...text.matchAll(/"([\w:.]+)":/g)].map(([, name]) => name!))]
}

/** The ids that a text of JSON has as values, by their members. */
function idsOf(text: string): Map<string, string> {
  const found = [...text.matchAll(/"(\w+)":\[?"(01[\w…-]+)"(?:,"(01[\w…-]+)")?/g)]
  return new Map(
    found
      .reverse()
      .flatMap(([, member, first, second]) => [
        [`${member}`, first!],
        ...(second ? [[`${member} 2`, second] as [string, string]] : []),
      ]),
  )
}

/** What a reader puts in the place of what a page shows. */
class Reader {
  readonly #ids = new Map<string, string>()
  readonly #directory: string
  /** Stands for the times of the page: after what the reader has, and before what the page does. */
  #begun = ''

  constructor(directory: string) {
    this.#directory = directory
  }

  begin(stdout: string): void {
    this.#begun = new Date().toISOString()
    this.learn(organization, stdout)
  }

  /** From now on, an id that the page shows stands for the one that was printed instead. */
  learn(shown: string, stdout: string): void {
    const real = idsOf(stdout)
    for (const [member, id] of idsOf(shown)) {
      if (!this.#ids.has(id) && real.has(member)) this.#ids.set(id, real.get(member)!)
    }
  }

  read({ command }: Pick<Unit, 'command'>): string {
    return command
      .replace(/(?<=^|[\s=(])\/(?=[a-z])/gm, `${this.#directory}/`)
      .replaceAll('http://127.0.0.1:8080', '$KONTOR_URL')
      .replaceAll('svc_live_…', '$KONTOR_KEY')
      .replace(/10\.0\.0\.\d+(:2379)?/g, (_, port) => (port ? '127.0.0.1:$ETCD' : '127.0.0.1'))
      .replace(/ user add (\w+)/g, ' user add $1:password')
      .replace('wait=30', 'wait=1')
      .replace(/2026-\d\d-\d\dT[\d:]+Z/g, this.#begun)
      .replace(/01a[\w]{5}-[\w…-]+/g, (id) => this.#ids.get(id) ?? id)
  }
}

/** How a page shows a job, which may take a moment. */
const completed = '"status":"completed"'

/** What pages say is refused: a pipeline or a stage that a new company has. */
const refusals = [/HTTP 409 \S+\/api-v1-(?:pipelines|stages)/]

function assertShown({ place, command, shown }: Unit, { stdout, stderr }: Output): void {
  const said = `${place}: ${command}\n${stdout}\n${stderr}`
  const refused = [...stderr.matchAll(/^HTTP [45].*$/gm)].map(([line]) => line)
  const isExpected = (line: string) => shown?.includes('"error":{') || refusals.some((refusal) => refusal.test(line))
  assert.deepEqual(
    refused.filter((line) => !isExpected(line)),
    [],
    said,
  )
  if (shown === undefined) return
  assert.equal(refused.length > 0, shown.includes('"error":{'), said)
  assert.deepEqual(
    membersOf(shown).filter((name) => !stdout.includes(`"${name}":`)),
    [],
    said,
  )
  for (const [line] of shown.matchAll(/^(HTTP\/1\.1 \d+ \w+|Kontor-\w+: \w+)$/gm))
    assert.ok(stdout.includes(line), said)
}

for (const [page, units] of pagesWithCommands()) {
  const own = Object.entries(preparations).filter(([at]) => at.split('#')[0] === page)
  const skip = own.map(([, { skip }]) => skip).find((reason) => reason) ?? withoutJq

  test(`Every command of ${page} works, and prints what the page shows`, { skip }, async (t) => {
    const { directory, terminal, calls } = newMachine(t)
    const reader = new Reader(directory)
    const type = async (place: string, command: string): Promise<Output> => {
      const output = await terminal(reader.read({ command }))
      assert.ok(output.isDone, `${place}: ${command}\n${output.stdout}\n${output.stderr}`)
      return output
    }
    const prepare = async (place: string) => {
      const commands = await preparations[place]?.make(t, directory)
      if (commands) await type(place, commands)
    }

    reader.begin((await type(`the preparation of ${page}`, company)).stdout)
    await prepare(page)
    let heading = ''
    for (const unit of units) {
      if (unit.heading !== heading) await prepare(`${page}#${unit.heading}`)
      heading = unit.heading
      await prepare(`${page}#${unit.command.slice(0, unit.command.indexOf('=') + 1)}`)
      const output = await until(`${unit.place} shows a job that has ended`, () => type(unit.place, unit.command), {
        is: ({ stdout }) => !unit.shown?.includes(completed) || stdout.includes(completed),
      })
      assertShown(unit, output)
      reader.learn(unit.shown ?? '', output.stdout)
    }
    for (const call of calls()) checkCall(call)
  })
}

test('Commands in a block where no test runs them are refused', () => {
  for (const block of ['```bash\nkontor serve\n```', '```\n$ kontor serve\n```', '```text\ncurl $KONTOR_URL\n```']) {
    assert.throws(() => unitsOf('page.md', `${block}\n`), /page.md:1: commands are in blocks of sh or console/)
  }
})

test('A program that neither the machine nor the list of those that do not run has fails', {
  skip: withoutJq,
}, async (t) => {
  const { isDone, stderr } = await newMachine(t).terminal('kontro serve')

  assert.equal(isDone, false)
  assert.match(stderr, /kontro: command not found/)
})
