import '../support/cheap-passwords.ts'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findWorkspaceId } from '../../src/access/company.ts'
import { withStore } from '../../src/commands/open-store.ts'
import { changeRow } from '../../src/engine/records/rows/write.ts'
import { mailAddress } from '../../src/features/mail/mail-address.ts'
import { exchangeCompany, run } from './company-files.ts'

const exchange = await exchangeCompany({ after: (end) => after(end as () => void) })
const { sender, victim, target, directory } = exchange

/** A file of the sender that has an address, and whose log says the same. */
const withAddress = (address: string) =>
  exchange.changed(`UPDATE mail_address SET address = '${address}';
    UPDATE change SET data = replace(data, '${sender.address}', '${address}') WHERE data IS NOT NULL`)

test('A company file with an address that another company has given up is refused, and nothing is written', async () => {
  await withStore(target, (store) =>
    store.writeAccess((tx) => {
      const own = tx.inWorkspace(findWorkspaceId(tx, victim.company, 'live'))
      changeRow(mailAddress, own, own.value<string>('SELECT id FROM mail_address WHERE workspace_id = :workspace')!, {
        address: 'new@in.example.com',
      })
    }),
  )

  await exchange.assertRefused(withAddress(victim.address), /^The file has a mail address that another company had\./)
})

test('The addresses of a company that has moved and was removed stay its own: it may return, and no other has them', async () => {
  const file = join(directory, 'victim')
  await run('export', victim.company, file, '--data', target, '--json')
  await run('move', victim.company, '--to', 'bb', '--data', target, '--json')
  await run('delete', victim.company, '--data', target, '--json')

  for (const address of [victim.address, 'new@in.example.com']) {
    await exchange.assertRefused(withAddress(address), /^The file has a mail address that another company had\./)
  }
  await exchange.import(file)
  await exchange.import(exchange.exported)

  const addresses = await withStore(target, ({ access }) =>
    access.values<string>('SELECT address FROM mail_address ORDER BY address'),
  )
  assert.deepEqual(addresses, [sender.address, 'new@in.example.com'].sort())
})
