package org.idallocator.hibernate;

import org.hibernate.boot.model.TypeContributions;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.service.ServiceRegistry;

/** Makes every type of ID a basic type of Hibernate, which finds this by the service loader. */
public final class IdTypes implements TypeContributor {
    @Override
    public void contribute(TypeContributions to, ServiceRegistry services) {
        IdForms.ALL.forEach(forms -> to.contributeJavaType(new IdJavaType<>(forms)));
    }
}
