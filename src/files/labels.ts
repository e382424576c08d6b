import { fold } from '../lib/text.ts'

const types: Readonly<Record<string, string>> = {
  ...{
    work: 'work',
    business: 'work',
    office: 'work',
    arbeit: 'work',
    geschaftlich: 'work',
    buro: 'work',
    dienstlich: 'work',
  },
  ...{ home: 'home', personal: 'home', private: 'home', privat: 'home', zuhause: 'home' },
  ...{ mobile: 'mobile', cell: 'mobile', cellular: 'mobile', iphone: 'mobile', handy: 'mobile', mobil: 'mobile' },
  ...{ other: 'other', sonstige: 'other', andere: 'other' },
}

/** The type of an email or phone that another program calls `* Work`, `Home` or `Mobile`. Other labels are unchanged. */
export function itemType(collection: string, label: string): string {
  const type = types[fold(label.replace(/^\*\s*/, '')).trim()] ?? label.replace(/^\*\s*/, '')
  return type === 'home' && collection === 'emails' ? 'personal' : type
}
