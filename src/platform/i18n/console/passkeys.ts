import { catalogue } from './catalogue.ts'

export const passkeyTexts = catalogue(
  {
    title: 'Passkeys',
    lead: 'With a passkey you sign in by your fingerprint, your face or the PIN of your device. A code by mail still works.',
    notHere:
      'Passkeys work at the address of this service alone, by https or on localhost. Sign in there to add one.',
    add: 'Add a passkey',
    addLead: 'Your browser asks where to keep it: on this device, on your phone or on a security key.',
    name: 'What you call it',
    nameHint: 'Such as the device that holds it.',
    needName: 'Must have 1 to 60 characters.',
    needsScript: 'Passkeys need a browser that knows them, with JavaScript.',
    notAdded: 'This passkey was not added. Try again, with a device that you did not add yet.',
    failed: 'No passkey was used. Try again, or use a code by mail.',
    refused: 'This passkey is not known here, or came too late. Try again, or use a code by mail.',
    signIn: 'Sign in with a passkey',
    confirm: 'Confirm with a passkey',
    since: 'added {time}',
    lastUsed: 'last used {time}',
    neverUsed: 'never used',
    remove: 'Remove',
    removeOne: 'Remove {name}',
    done: 'Done.',
  },
  {
    title: 'Passkeys',
    lead: 'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an. Ein Code per E-Mail geht weiterhin.',
    notHere:
      'Passkeys gehen nur unter der Adresse dieses Dienstes, über https oder auf localhost. Melden Sie sich dort an, um einen hinzuzufügen.',
    add: 'Passkey hinzufügen',
    addLead:
      'Ihr Browser fragt, wo er liegen soll: auf diesem Gerät, dem Telefon oder einem Sicherheitsschlüssel.',
    name: 'Wie Sie ihn nennen',
    nameHint: 'Etwa nach dem Gerät, auf dem er liegt.',
    needName: 'Muss 1 bis 60 Zeichen haben.',
    needsScript: 'Passkeys brauchen einen Browser, der sie kennt, mit JavaScript.',
    notAdded:
      'Dieser Passkey wurde nicht hinzugefügt. Versuchen Sie es noch einmal, mit einem Gerät, das noch nicht dabei ist.',
    failed:
      'Es wurde kein Passkey benutzt. Versuchen Sie es noch einmal, oder nehmen Sie einen Code per E-Mail.',
    refused:
      'Dieser Passkey ist hier nicht bekannt oder kam zu spät. Versuchen Sie es noch einmal, oder nehmen Sie einen Code per E-Mail.',
    signIn: 'Mit einem Passkey anmelden',
    confirm: 'Mit einem Passkey bestätigen',
    since: 'hinzugefügt {time}',
    lastUsed: 'zuletzt benutzt {time}',
    neverUsed: 'nie benutzt',
    remove: 'Entfernen',
    removeOne: '{name} entfernen',
    done: 'Erledigt.',
  },
)
