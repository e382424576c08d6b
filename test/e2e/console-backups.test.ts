import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openScreen, withoutBrowser } from '../support/browser.ts'
import { enterAs } from '../support/console.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { idle, openPage } from '../support/page.ts'
import { prepareCompany } from '../support/prepare.ts'
import { bundle, launch, run } from '../support/program.ts'
import { password, type Visitor, visit } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

interface Place {
  owner: Visitor
  data: string
  backups: string
  url: string
}

/** A server with one company, whose owner is signed in. */
async function place(t: TestContext, ...options: string[]): Promise<Place> {
  const directory = temporaryDirectory(t)
  const [data, backups] = [join(directory, 'data'), join(directory, 'backups')]
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0', ...named(options, backups)])
  const owner = visit(first.url!)
  const token = new URL(first.setup_url!).hash.slice(1)
  const user = { full_name: 'Ada Weber', email: 'ada@acme.example', password }
  assert.equal((await owner.post('/console/setup', { token, company_name: 'Acme', ...user })).status, 201)
  return { owner, data, backups, url: first.url! }
}

function named(options: string[], backups: string): string[] {
  return options.map((option) => (option === 'DIR' ? backups : option))
}

/** The report, once no backup is being made. */
function settled({ owner }: Place) {
  return until('no backup is being made', async () => (await owner.get('/console/backups')).body.data, {
    is: ({ next_at, is_running }) => next_at && !is_running,
  })
}

test('The owner of the only company sees the last backup and the next, and makes one now', async (t) => {
  const at = await place(t, '--backup-dir', 'DIR', '--backup-every', '24h', '--backup-keep', '3')
  const scheduled = await settled(at)

  const answer = await at.owner.post('/console/backups')
  const report = await settled(at)

  assert.deepEqual(scheduled.schedule, { every_ms: 86_400_000, keep: 3 })
  assert.deepEqual([answer.status, answer.body.data.is_running], [202, true])
  const [first, manual] = readdirSync(at.backups).sort((a, b) => a.length - b.length)
  assert.match(first!, /^kontor-\d{8}T\d{6}Z\.db$/)
  assert.match(manual!, /^kontor-\d{8}T\d{6}Z-manual\.db$/)
  assert.equal((await run(bundle, ['check', join(at.backups, manual!)])).code, 0)
  assert.ok(report.last.bytes > 0)
  assert.ok(report.last.at >= scheduled.last.at)
  const apart = Date.parse(report.next_at) - Date.parse(scheduled.next_at)
  assert.ok(Math.abs(apart) < 60_000, 'the schedule stays as it was')
})

test('A backup that a user makes replaces the previous one of its kind, and none of the schedule', async (t) => {
  const at = await place(t, '--backup-dir', 'DIR', '--backup-keep', '1')
  await settled(at)
  const old = 'kontor-20200101T000000Z-manual.db'
  writeFileSync(join(at.backups, old), '')
  const scheduled = readdirSync(at.backups).filter((name) => !name.includes('manual'))

  await at.owner.post('/console/backups')
  await settled(at)

  const names = readdirSync(at.backups)
  assert.equal(names.length, 2)
  assert.ok(!names.includes(old))
  assert.ok(names.includes(scheduled[0]!))
})

test('A backup that fails is reported, and the next one that succeeds ends the report', async (t) => {
  const at = await place(t, '--backup-dir', 'DIR')
  await settled(at)
  rmSync(at.backups, { recursive: true })
  writeFileSync(at.backups, 'a file where the directory was')

  await at.owner.post('/console/backups')
  const failed = await settled(at)
  rmSync(at.backups)
  mkdirSync(at.backups)
  await at.owner.post('/console/backups')
  const mended = await settled(at)

  assert.deepEqual([failed.has_failed, failed.last], [true, null])
  assert.equal(mended.has_failed, false)
  assert.ok(mended.last)
})

test('Admins see no backups, nor do owners on a server with several companies, and none of them can make one', async (t) => {
  const at = await place(t, '--backup-dir', 'DIR')
  await settled(at)
  const { body } = await at.owner.post('/console/users', {
    full_name: 'Alan',
    email: 'alan@acme.example',
    role: 'admin',
  })
  const admin = visit(at.url)
  const token = body.data.invitation
  assert.equal((await admin.post('/console/invitation/accept', { token, password })).status, 201)

  assert.equal((await admin.get('/console/backups')).body.data, null)
  assert.equal((await admin.post('/console/backups')).status, 403)
  await prepareCompany(at.data, 'Nordwind')
  assert.equal((await at.owner.get('/console/backups')).body.data, null)
  assert.equal((await at.owner.post('/console/backups')).status, 403)
})

test('Without a directory for backups, the report says so and none is made', async (t) => {
  const { owner } = await place(t)

  const { body } = await owner.get('/console/backups')
  const answer = await owner.post('/console/backups')

  assert.equal(body.data.schedule, null)
  assert.equal(answer.status, 409)
  assert.match(answer.body.error.message, /KONTOR_BACKUP_DIR/)
})

test('The settings show the owner the backups, and one click makes one', { skip: withoutBrowser }, async (t) => {
  const at = await place(t, '--backup-dir', 'DIR')
  await settled(at)
  const { page, context, complaints } = await openScreen(t, at.url)
  await enterAs(context, at.url, at.owner)

  await openPage(page, `${at.url}/settings/company`)
  const section = page.getByRole('region', { name: 'Backups' })
  const press = section.getByRole('button', { name: 'Back up now' })
  await press.click()
  await until('there is a backup that was made by hand', () => readdirSync(at.backups), {
    is: (files) => files.some((file) => file.endsWith('-manual.db')),
  })
  await press.waitFor()

  await idle(page)
  assert.match((await section.textContent())!, /[kM]B.*Next backup.*latest 7 scheduled backups are kept/)
  assert.deepEqual(complaints, [])
})
