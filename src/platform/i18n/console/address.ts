import { catalogue } from './catalogue.ts'

export const addressTexts = catalogue(
  {
    title: 'Add your email address',
    why: 'With it you sign in without a link, prove that it is you before keys are made, and hear of bookings.',
    lead: 'We send six digits to it. It is yours here as soon as you have entered them.',
    sent: 'A code is on its way to {email}. It is valid for ten minutes.',
    save: 'Add this address',
    otherAddress: 'Use another address',
    taken: 'A colleague has this address already. Use another one.',
    change: 'Change your address',
    changeWhy:
      'From then on you sign in with the new one, and no longer with {email}, wherever you are a member. Your passkeys stay, and you are signed out everywhere else. We tell both addresses.',
    saveChange: 'Change the address',
    isYours: 'This is your address already.',
    byLink: 'You came in by a link. Sign in with your address to change it.',
  },
  {
    title: 'Ihre E-Mail-Adresse hinterlegen',
    why: 'Mit ihr melden Sie sich ohne Link an, weisen sich aus, bevor Schlüssel entstehen, und hören von Buchungen.',
    lead: 'Wir schicken sechs Ziffern dorthin. Sobald Sie diese eingegeben haben, gilt die Adresse hier als Ihre.',
    sent: 'Ein Code ist unterwegs an {email}. Er gilt zehn Minuten.',
    save: 'Adresse hinterlegen',
    otherAddress: 'Eine andere Adresse benutzen',
    taken: 'Diese Adresse hat schon jemand aus Ihrem Team. Benutzen Sie eine andere.',
    change: 'Adresse ändern',
    changeWhy:
      'Danach melden Sie sich mit der neuen an und nicht mehr mit {email}, überall, wo Sie Mitglied sind. Ihre Passkeys bleiben, und überall sonst werden Sie abgemeldet. Wir sagen es beiden Adressen.',
    saveChange: 'Adresse ändern',
    isYours: 'Das ist schon Ihre Adresse.',
    byLink: 'Sie sind über einen Link hier. Melden Sie sich mit Ihrer Adresse an, um sie zu ändern.',
  },
)
