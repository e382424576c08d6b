import '../support/cheap-passwords.ts'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { storeFailingMail, storeSampleRequest } from '../../src/access/setting.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { exchangeCompany, run } from './company-files.ts'

test('After its removal, no row of any table names a company or what it had, but its former mail addresses and the authors of changes', async (t) => {
  const { content, directory, target, victim } = await exchangeCompany(t)
  await withStore(target, (store) =>
    store.writeAccess((tx) => {
      storeFailingMail(tx, victim.mailbox, '1 2 3')
      storeSampleRequest(tx, findWorkspaceId(tx, victim.company, 'live'), victim.company)
    }),
  )
  const names = Object.values(victim)
  const naming = () =>
    content().flatMap(([table, rows]) =>
      rows
        .map((row) => JSON.stringify(row))
        .filter((row) => names.some((name) => row.includes(name)))
        .map((row) => `${table} ${row}`),
    )
  const isFormer = (row: string) => row.startsWith(`setting {"name":"mail_address ${victim.address}"`)
  const isAuthor = (row: string) => row.startsWith('change_term ')
  assert.ok(naming().length > 10)

  await run('export', victim.company, join(directory, 'victim'), '--data', target, '--json')
  await run('move', victim.company, '--to', 'bb', '--data', target, '--json')
  await run('delete', victim.company, '--data', target, '--json')

  assert.deepEqual(
    naming().filter((row) => !isFormer(row) && !isAuthor(row)),
    [],
  )
})
