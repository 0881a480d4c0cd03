import { catalogue } from './catalogue.ts'

export const passkeyTexts = catalogue(
  {
    title: 'Passkeys',
    lead: 'Sign in with your fingerprint, your face or your device’s PIN. You can still use an emailed code.',
    notHere:
      'Passkeys work only at this service’s own address, over https or on localhost. Sign in there to add one.',
    add: 'Add passkey',
    addLead: 'Your browser asks where to store it: on this device, on your phone or on a security key.',
    name: 'Name',
    nameHint: 'Such as the device that stores it.',
    needName: 'Enter 1 to 60 characters.',
    needsScript: 'Passkeys need JavaScript and a browser that supports them.',
    notAdded: 'The passkey was not added. Try again with a device that has no passkey here yet.',
    failed: 'No passkey was used. Try again, or use an emailed code.',
    refused:
      'This passkey is not registered here, or the request has expired. Try again, or use an emailed code.',
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
    lead: 'Melden Sie sich mit Fingerabdruck, Gesicht oder der PIN Ihres Geräts an. Ein Code per E-Mail ist weiterhin möglich.',
    notHere:
      'Passkeys funktionieren nur unter der eigenen Adresse dieses Dienstes, über https oder auf localhost. Melden Sie sich dort an, um einen hinzuzufügen.',
    add: 'Passkey hinzufügen',
    addLead:
      'Ihr Browser fragt, wo er gespeichert werden soll: auf diesem Gerät, auf Ihrem Telefon oder auf einem Sicherheitsschlüssel.',
    name: 'Name',
    nameHint: 'Etwa das Gerät, auf dem er gespeichert ist.',
    needName: 'Geben Sie 1 bis 60 Zeichen ein.',
    needsScript: 'Passkeys brauchen JavaScript und einen Browser, der sie unterstützt.',
    notAdded:
      'Der Passkey wurde nicht hinzugefügt. Versuchen Sie es erneut mit einem Gerät, das hier noch keinen hat.',
    failed:
      'Es wurde kein Passkey verwendet. Versuchen Sie es erneut, oder verwenden Sie einen Code per E-Mail.',
    refused:
      'Dieser Passkey ist hier nicht registriert, oder die Anfrage ist abgelaufen. Versuchen Sie es erneut, oder verwenden Sie einen Code per E-Mail.',
    signIn: 'Mit einem Passkey anmelden',
    confirm: 'Mit einem Passkey bestätigen',
    since: 'hinzugefügt {time}',
    lastUsed: 'zuletzt verwendet {time}',
    neverUsed: 'nie verwendet',
    remove: 'Entfernen',
    removeOne: '{name} entfernen',
    done: 'Erledigt.',
  },
)
